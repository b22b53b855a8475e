"""The departure board of a small harbour."""
