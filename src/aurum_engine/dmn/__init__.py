"""DMN decisions with an audit of inputs and matched rules, on top of FEEL. Pure."""
