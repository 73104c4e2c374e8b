# SPDX-License-Identifier: Apache-2.0
"""Random mechanical systems of every class, and a judge that knows mechanics but not the program (random_worlds.py is the command)."""
