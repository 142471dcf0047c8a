"""The REST v2 subset: Camunda 8.9's paths, shapes and problem bodies over the embedded engine."""
