"""Matrices, products, heads, planes: what a model computes."""
