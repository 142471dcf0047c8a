"""From the engine to the log: reconcile (pages -> facts), sequencer (order), inbox (sole appender), poller."""
