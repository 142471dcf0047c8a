"""Built-in functions of FEEL: DMN 1.4 and Camunda's extensions, one module per kind of value."""
