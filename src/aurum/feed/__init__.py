"""From the engine to the log: reconcile (search pages -> facts), sequencer (order), inbox (sole appender), poller."""
