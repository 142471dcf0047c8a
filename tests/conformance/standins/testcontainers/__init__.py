"""A stand-in for the package `testcontainers`: its containers are our own server in a process."""
