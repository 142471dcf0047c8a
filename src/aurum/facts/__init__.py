"""What happened in a case: typed facts with deterministic ids, and their JSON form."""
