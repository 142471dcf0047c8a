"""Who is asking, and what he may see and do: people, tokens, policy."""
