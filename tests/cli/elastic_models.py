# SPDX-License-Identifier: Apache-2.0
"""Models of elastic contacts that several tests study."""

# A point leaves a smooth disc: its reaction vanishes at the lift-off.
DISC = """
format = 1
name = "disc"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "y"
[contact.disc]
gap = "sqrt(x^2 + y^2) - 1"
{contact}
[start]
y = 1
[start.velocity]
x = 0.5
[run]
until = 1.6677425840609492
"""
