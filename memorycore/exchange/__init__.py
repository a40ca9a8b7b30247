"""Documents that enter or leave, as strict pydantic models. Inside they become light records."""
