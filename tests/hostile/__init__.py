"""Hostile inputs, made by generators: one named case each, with the property it checks."""
