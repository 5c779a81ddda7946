#: sign
sign = np.sign

#: modulo
modulo = np.mod

#: minimum
minimum = np.minimum

#: maximum
maximum = np.maximum

#: reciprocal_or_zero
def reciprocal_or_zero(x):
    """1/x, but 0 at 0."""
    return 0.0 if x == 0 else 1.0 / x

#: sinc
def sinc(order, x):
    """A derivative of sin(x)/x, by x f_k + k f_(k-1) = sin(x + k pi/2): upwards from f_0 for |x| > k, else downwards."""
    sine, cosine, size = np.sin(x), np.cos(x), abs(x)
    waves = [sine, cosine, -sine, -cosine]
    if size <= order and not (order == 0 and size > 0):
        tolerance = EPSILON / 16 * min(size, 1.0)
        top, damping, value = order + 1, size / (order + 1), 0.0
        while damping > tolerance:
            top += 1
            damping *= size / top
        for k in range(top + 1, order, -1):
            value = (waves[k % 4] - x * value) / k
        return value
    value = sine / x
    for k in range(1, order + 1):
        value = (waves[k % 4] - k * value) / x
    return value

#: piece
def piece(rows, x):
    """The row of a spline for the argument x: a knot, and the coefficients by powers of the distance from it. Before the first knot the
    spline is straight."""
    found, high = 0, len(rows) // 5
    while high - found > 1:
        middle = (found + high) // 2
        if rows[5 * middle] <= x:
            found = middle
        else:
            high = middle
    row = rows[5 * found : 5 * found + 5]
    return [row[0], row[1], row[2], 0.0, 0.0] if x < rows[0] else row

#: spline
def spline(x, y, bends):
    """The rows of a spline from its knots, and from its values and second derivatives there."""
    rows = []
    for i in range(1, len(x)):
        before, after = bends[i - 1], bends[i]
        width = 1.0 if x[i] <= x[i - 1] else x[i] - x[i - 1]
        secant = (y[i] - y[i - 1]) / width
        rows += [x[i - 1], y[i - 1], secant - width * (2 * before + after) / 6, before / 2, (after - before) / width / 6]
        if i + 1 == len(x):
            rows += [x[i], y[i], secant + width * (before + 2 * after) / 6, 0.0, 0.0]
    return rows

#: solve_implicit
def eliminate(r, slope, shift):
    """(K + shift) step = r by elimination along the diagonal, and 1 if all pivots are positive, -1 if one is negative, else 0."""
    n = len(r)
    k, step = slope + shift * np.eye(n), r.copy()
    is_definite, is_negative = True, False
    for i in range(n):
        pivot, bound = k[i, i], 0.0 if i == 0 else 16 * n * EPSILON * (shift + np.sum(np.abs(slope[i])))
        is_negative = is_negative or (is_definite and pivot < -bound)
        is_definite = is_definite and pivot > bound and np.isfinite(pivot)
        for row in range(i + 1, n):
            factor = k[row, i] / pivot
            k[row, i + 1 :] -= factor * k[i, i + 1 :]
            step[row] -= factor * step[i]
    for i in reversed(range(n)):
        step[i] = (step[i] - k[i, i + 1 :] @ step[i + 1 :]) / k[i, i]
    return step, -1 if is_negative else int(is_definite)


def shifted_step(r, slope, w):
    """(K + mu) step = r with mu = |r|/(1 + |w|), for a K that is singular or has no value."""
    return eliminate(r, np.where(np.isfinite(slope), slope, 0.0), norm(r) / (1 + norm(w)))[0]


def solve_implicit(n, is_unique, equations, a):
    """w with r(w, a) = 0, and 1 behind it; NaN and 0 where none is found. Newton's method begins at w = 0, with K = -dr/dw, and halves
    its steps until |r| falls."""
    w, step, first = np.zeros(n), np.zeros(n), np.zeros(n)
    best_r, best_k, best_norm, excess, factor = first, np.zeros((n, n)), np.inf, np.inf, 1.0
    pivots, is_newton, found, failed = 0, False, False, False
    for evaluation in range(3000):
        if found or failed:
            break
        trial = w + factor * step
        is_moved = bool(np.any(trial != w))
        r, k = (np.array(rows, dtype=float) for rows in equations(trial, a))
        if evaluation == 0:
            first = np.abs(r)
        norm_r, norm_w = norm(r), norm(trial)
        if np.isfinite(norm_w) and (norm_r < best_norm or (is_moved and not is_newton and norm_r <= best_norm)):
            size = np.sum(np.abs(k * trial), axis=1)
            is_left = r != 0
            found = bool(np.all(~is_left | (np.abs(r) <= n * EPSILON * size)))
            excess = np.sum(np.abs(r[is_left]) / (16 * EPSILON * (size + first)[is_left]))
            w, best_r, best_k, best_norm, factor = trial, r, k, norm_r, 1.0
            step, pivots = eliminate(r, k, 0.0)
            is_newton = pivots == 1 and bool(np.all(np.isfinite(step)))
            if not is_newton:
                step = shifted_step(r, k, w)
            failed = pivots < 0
        else:
            is_same = bool(np.all(r == best_r))
            found = (
                excess <= 1
                or ((factor < 0.01 or not is_moved) and excess <= 64)
                or (is_same and is_moved and is_newton and factor > np.sqrt(EPSILON))
            )
            factor /= 2
            if not is_moved and not found:
                failed = not is_newton
                is_newton = False
                step = shifted_step(best_r, best_k, w)
                factor = 1.0
    found = found and not failed and (is_unique or pivots == 1)
    return [*w, 1.0] if found else [*np.full(n, np.nan), 0.0]

#: norm
def norm(x):
    """The Euclidean norm, without overflow."""
    x = np.array(x, dtype=float)
    total, largest = np.sum(x * x), np.max(np.abs(x))
    if largest == 0 or not np.isfinite(largest) or (total > 1e-290 and np.isfinite(total)):
        return np.sqrt(total)
    return largest * np.sqrt(np.sum((x / largest) ** 2))

#: solve_symmetric
def solve_symmetric(matrix, b):
    """Solves M x = b for a regular symmetric M, which need not be definite: P S M S P' = L D L' with blocks of 1 and 2 in D and
    complete pivoting (Bunch and Parlett, 1971). S has powers of two. Two corrections by the residual make the errors those of roundings
    of the entries. An ArithmeticError names the unknown whose pivot vanished."""
    n = len(b)
    scale = np.ones(n)
    for _ in range(12):
        largest = np.max(np.abs(matrix) * np.outer(scale, scale), axis=1)
        scale /= np.where(largest > 0, np.sqrt(largest), 1.0)
    scale = 2.0 ** np.floor(np.log2(scale))
    m = matrix * np.outer(scale, scale)
    terms, order, is_double = np.abs(m), np.arange(n), np.zeros(n, dtype=int)

    def exchange(i, j):
        for x in (m, terms):
            x[[i, j], :] = x[[j, i], :]
            x[:, [i, j]] = x[:, [j, i]]
        order[[i, j]] = order[[j, i]]

    def reduce(change, k):
        m[k:, k:] -= change
        terms[k:, k:] = np.maximum(terms[k:, k:], np.abs(change))

    k = 0
    while k < n:
        sizes = np.where(np.abs(m[k:, k:]) <= n * EPSILON * terms[k:, k:], 0.0, np.abs(m[k:, k:]))
        diagonal = int(np.argmax(np.diag(sizes)))
        below = np.tril(sizes, -1)
        row, column = np.unravel_index(int(np.argmax(below)), below.shape)
        on, off = sizes[diagonal, diagonal], below[row, column]
        if on <= 0 and off <= 0:
            raise ArithmeticError(f"the equations are singular: the pivot of {UNKNOWNS[order[k + diagonal]]} vanishes")
        if off * 0.6403882032022076 > on:
            is_double[k] = 1
            exchange(k, k + column)
            exchange(k + 1, k + row)
            cross = m[k + 1, k]
            top, bottom = m[k, k] / cross, m[k + 1, k + 1] / cross
            inverse = 1.0 / ((top * bottom - 1.0) * cross)
            block = np.array([[bottom * inverse, -inverse], [-inverse, top * inverse]])
            columns = m[k + 2 :, k : k + 2].copy()
            factors = columns @ block
            reduce(np.outer(columns[:, 0], factors[:, 0]), k + 2)
            reduce(np.outer(columns[:, 1], factors[:, 1]), k + 2)
            m[k + 2 :, k : k + 2] = factors
            m[k : k + 2, k : k + 2] = block
            k += 2
        else:
            exchange(k, k + diagonal)
            inverse = 1.0 / m[k, k]
            column = m[k + 1 :, k].copy()
            reduce(np.outer(column, column * inverse), k + 1)
            m[k + 1 :, k] = column * inverse
            m[k, k] = inverse
            k += 1

    def substitute(right):
        x = right[order] * scale[order]
        for k in range(n):
            below = k + 1 + is_double[k]
            x[below:] -= m[below:, k] * x[k]
        k = 0
        while k < n:
            width = 1 + is_double[k]
            x[k : k + width] = m[k : k + width, k : k + width] @ x[k : k + width]
            k += width
        for k in reversed(range(n)):
            below = k + 1 + is_double[k]
            x[k] -= m[below:, k] @ x[below:]
        solution = np.empty(n)
        solution[order] = x * scale[order]
        return solution

    solution = substitute(b)
    for _ in range(2):
        solution = solution + substitute(b - matrix @ solution)
    return solution
