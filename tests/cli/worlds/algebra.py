# SPDX-License-Identifier: Apache-2.0
"""Small linear algebra in plain Python."""
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(matrix, vector):
    return [dot(row, vector) for row in matrix]


def plus(a, b, factor=1.0):
    return [x + factor * y for x, y in zip(a, b)]


def norm(a):
    return math.sqrt(dot(a, a))


def largest(numbers):
    return max((abs(x) for x in numbers), default=0.0)


def solved(matrix, right):
    """matrix⁻¹ right by elimination with pivots."""
    n = len(right)
    rows = [[*row, b] for row, b in zip(matrix, right)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[p] = rows[p], rows[i]
        if rows[i][i] == 0.0:
            raise ZeroDivisionError
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            if factor:
                rows[k] = plus(rows[k], rows[i], -factor)
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - dot(rows[i][i + 1:n], x[i + 1:])) / rows[i][i]
    return x


def basis(rows, small=1e-9):
    """Orthonormal vectors that span the rows."""
    found = []
    for row in rows:
        size = norm(row)
        rest = row
        for _ in range(2):
            for b in found:
                rest = plus(rest, b, -dot(rest, b))
        if size > 0 and norm(rest) > small * size:
            found.append([x / norm(rest) for x in rest])
    return found


def off_span(vector, rows):
    """What is left of a vector beside the span of the rows."""
    for b in basis(rows):
        vector = plus(vector, b, -dot(vector, b))
    return vector


def boxed(rest, rows, bounds):
    """Factors within bounds for which rest − Σ factor·row is least, and that remainder: one factor after the other."""
    factors = [min(max(0.0, low), high) for low, high in bounds]
    for f, row in zip(factors, rows):
        rest = plus(rest, row, -f)
    for _ in range(2000 if len(rows) > 1 else 2):
        moved = 0.0
        for k, row in enumerate(rows):
            size = dot(row, row)
            if size:
                new = min(max(factors[k] + dot(rest, row) / size, bounds[k][0]), bounds[k][1])
                moved = max(moved, abs(new - factors[k]))
                rest, factors[k] = plus(rest, row, factors[k] - new), new
        if moved < 1e-12:
            break
    return factors, rest
