"""From the engine to the log: reconcile (pages -> facts), sequencer (order), inbox (appender), poller."""
