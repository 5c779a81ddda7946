//: sign
/* -1, 0 or 1. */
static real sign(real x) { return x > 0 ? (real)1 : x < 0 ? (real)-1 : x; }

//: modulo
/* x - y*floor(x/y), with the sign of y. */
static real modulo(real x, real y)
{
    const real rest = FN(fmod)(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

//: minimum
/* The smaller of two numbers; NaN where one of them is NaN. */
static real minimum(real x, real y) { return x < y ? x : x >= y ? y : x + y; }

//: maximum
/* The larger of two numbers; NaN where one of them is NaN. */
static real maximum(real x, real y) { return x > y ? x : x <= y ? y : x + y; }

//: reciprocal_or_zero
/* 1/x, but 0 at 0. */
static real reciprocal_or_zero(real x) { return x == 0 ? (real)0 : 1 / x; }

//: sinc
/* A derivative of sin(x)/x, by x f_k + k f_(k-1) = sin(x + k pi/2): upwards from f_0 for |x| > k, else downwards. */
static real sinc(int order, real x)
{
    const real sine = FN(sin)(x), cosine = FN(cos)(x), size = FN(fabs)(x);
    const real waves[4] = {sine, cosine, -sine, -cosine};
    real value = 0;
    if (size <= (real)order && !(order == 0 && size > 0)) {
        const real tolerance = EPSILON / 16 * (size < 1 ? size : 1);
        real damping = 1;
        int top = order;
        do {
            top += 1;
            damping *= size / (real)top;
        } while (damping > tolerance);
        for (int k = top + 1; k > order; k -= 1) {
            value = (waves[k % 4] - x * value) / (real)k;
        }
        return value;
    }
    value = sine / x;
    for (int k = 1; k <= order; k += 1) {
        value = (waves[k % 4] - (real)k * value) / x;
    }
    return value;
}

//: piece
/* The row of a spline for the argument x: a knot, and the coefficients by powers of the distance from it. Before the first knot the
   spline is straight. */
static void piece(int knots, const real *rows, real x, real *row)
{
    int found = 0, high = knots;
    while (high - found > 1) {
        const int middle = found + (high - found) / 2;
        if (rows[5 * middle] <= x) {
            found = middle;
        } else {
            high = middle;
        }
    }
    for (int k = 0; k < 5; k += 1) {
        row[k] = k > 2 && x < rows[0] ? 0 : rows[5 * found + k];
    }
}

//: spline
/* The rows of a spline from its knots, and from its values and second derivatives there. */
static void spline(int knots, const real *x, const real *y, const real *bends, real *rows)
{
    for (int i = 1; i < knots; i += 1) {
        const real before = bends[i - 1], after = bends[i];
        real *row = rows + 5 * (i - 1);
        real width = x[i] - x[i - 1];
        width = width <= 0 ? 1 : width;
        const real secant = (y[i] - y[i - 1]) / width;
        const real coefficients[10] = {
            x[i - 1], y[i - 1], secant - width * (2 * before + after) / 6, before / 2, (after - before) / width / 6,
            x[i], y[i], secant + width * (before + 2 * after) / 6, 0, 0,
        };
        for (int k = 0; k < 10; k += 1) {
            row[k] = coefficients[k];
        }
    }
}

//: solve_implicit
/* (K + shift) step = r by elimination along the diagonal. Returns 1 if all pivots are positive, -1 if one is negative, else 0. */
static int eliminate(int n, const real *r, const real *slope, real shift, real *step)
{
    real k[UNKNOWNS * UNKNOWNS] = {0};
    int is_definite = 1, is_negative = 0;
    for (int i = 0; i < n; i += 1) {
        step[i] = r[i];
        for (int j = 0; j < n; j += 1) {
            k[i * n + j] = slope[i * n + j] + (i == j ? shift : 0);
        }
    }
    for (int i = 0; i < n; i += 1) {
        real size = shift;
        for (int j = 0; j < n; j += 1) {
            size += FN(fabs)(slope[i * n + j]);
        }
        const real pivot = k[i * n + i], bound = i == 0 ? 0 : 16 * (real)n * EPSILON * size;
        is_negative = is_negative || (is_definite && pivot < -bound);
        is_definite = is_definite && pivot > bound && isfinite(pivot);
        for (int row = i + 1; row < n; row += 1) {
            const real factor = k[row * n + i] / pivot;
            for (int j = i + 1; j < n; j += 1) {
                k[row * n + j] -= factor * k[i * n + j];
            }
            step[row] -= factor * step[i];
        }
    }
    for (int i = n - 1; i >= 0; i -= 1) {
        for (int j = i + 1; j < n; j += 1) {
            step[i] -= k[i * n + j] * step[j];
        }
        step[i] /= k[i * n + i];
    }
    return is_negative ? -1 : is_definite;
}

/* (K + mu) step = r with mu = |r|/(1 + |w|), for a K that is singular or has no value. */
static void shifted_step(int n, const real *r, const real *slope, real norm_r, real norm_w, real *step)
{
    real k[UNKNOWNS * UNKNOWNS] = {0};
    for (int i = 0; i < n * n; i += 1) {
        k[i] = isfinite(slope[i]) ? slope[i] : 0;
    }
    eliminate(n, r, k, norm_r / (1 + norm_w), step);
}

/* w with r(w, a) = 0, and 1 behind it; NaN and 0 where none is found. Newton's method begins at w = 0, with K = -dr/dw, and halves
   its steps until |r| falls. */
static void solve_implicit(
    int n, int is_unique, void (*equations)(const real *w, const real *a, real *r, real *k), const real *a, real *w)
{
    real best_r[UNKNOWNS] = {0}, best_k[UNKNOWNS * UNKNOWNS] = {0}, step[UNKNOWNS] = {0}, first[UNKNOWNS] = {0};
    real best_norm = (real)INFINITY, excess = (real)INFINITY, factor = 1;
    int pivots = 0, is_newton = 0, found = 0, failed = 0;
    for (int i = 0; i < n; i += 1) {
        w[i] = 0;
    }
    for (int evaluation = 0; evaluation < 3000 && !found && !failed; evaluation += 1) {
        real trial[UNKNOWNS] = {0}, r[UNKNOWNS] = {0}, k[UNKNOWNS * UNKNOWNS] = {0};
        int is_moved = 0, is_same = 1;
        for (int i = 0; i < n; i += 1) {
            trial[i] = w[i] + factor * step[i];
            is_moved = is_moved || trial[i] != w[i];
        }
        equations(trial, a, r, k);
        const real norm_r = norm(n, r), norm_w = norm(n, trial);
        for (int i = 0; i < n; i += 1) {
            first[i] = evaluation == 0 ? FN(fabs)(r[i]) : first[i];
            is_same = is_same && r[i] == best_r[i];
        }
        if (isfinite(norm_w) && (norm_r < best_norm || (is_moved && !is_newton && norm_r <= best_norm))) {
            int is_solved = 1;
            excess = 0;
            for (int i = 0; i < n; i += 1) {
                real size = 0;
                for (int j = 0; j < n; j += 1) {
                    size += FN(fabs)(k[i * n + j] * trial[j]);
                }
                is_solved = is_solved && (r[i] == 0 || FN(fabs)(r[i]) <= (real)n * EPSILON * size);
                excess += r[i] == 0 ? 0 : FN(fabs)(r[i]) / (16 * EPSILON * (size + first[i]));
            }
            for (int i = 0; i < n; i += 1) {
                w[i] = trial[i];
                best_r[i] = r[i];
            }
            for (int i = 0; i < n * n; i += 1) {
                best_k[i] = k[i];
            }
            best_norm = norm_r;
            factor = 1;
            pivots = eliminate(n, r, k, 0, step);
            is_newton = pivots == 1;
            for (int i = 0; i < n; i += 1) {
                is_newton = is_newton && isfinite(step[i]);
            }
            if (!is_newton) {
                shifted_step(n, r, k, norm_r, norm_w, step);
            }
            found = is_solved;
            failed = pivots < 0;
        } else {
            found = excess <= 1 || ((factor < (real)0.01 || !is_moved) && excess <= 64)
                || (is_same && is_moved && is_newton && factor > FN(sqrt)(EPSILON));
            factor /= 2;
            if (!is_moved && !found) {
                failed = !is_newton;
                is_newton = 0;
                shifted_step(n, best_r, best_k, best_norm, norm(n, w), step);
                factor = 1;
            }
        }
    }
    found = found && !failed && (is_unique || pivots == 1);
    for (int i = 0; i < n; i += 1) {
        w[i] = found ? w[i] : (real)NAN;
    }
    w[n] = found ? 1 : 0;
}

//: norm
/* The Euclidean norm, without overflow. */
static real norm(int n, const real *x)
{
    real sum = 0, largest = 0;
    for (int i = 0; i < n; i += 1) {
        sum += x[i] * x[i];
        largest = FN(fabs)(x[i]) > largest ? FN(fabs)(x[i]) : largest;
    }
    if (largest == 0 || !isfinite(largest) || (sum > SMALLEST / EPSILON && isfinite(sum))) {
        return FN(sqrt)(sum);
    }
    sum = 0;
    for (int i = 0; i < n; i += 1) {
        sum += x[i] / largest * (x[i] / largest);
    }
    return largest * FN(sqrt)(sum);
}

//: solve_symmetric
/* The magnitude of an entry; 0 where it cannot be told from the rounding of its terms. */
static real magnitude(int n, const real *m, const real *terms, int place)
{
    const real size = FN(fabs)(m[place]);
    return size <= (real)n * EPSILON * terms[place] ? 0 : size;
}

static void swap(real *x, int i, int j)
{
    const real kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

static void exchange(int n, real *m, real *terms, int *order, int i, int j)
{
    const int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    for (int k = 0; k < n; k += 1) {
        swap(m, i * n + k, j * n + k);
        swap(terms, i * n + k, j * n + k);
    }
    for (int k = 0; k < n; k += 1) {
        swap(m, k * n + i, k * n + j);
        swap(terms, k * n + i, k * n + j);
    }
}

static void reduce(int n, real *m, real *terms, int i, int j, real change)
{
    const real entry = m[i * n + j] - change;
    const real term = FN(fabs)(change) > terms[i * n + j] ? FN(fabs)(change) : terms[i * n + j];
    m[i * n + j] = m[j * n + i] = entry;
    terms[i * n + j] = terms[j * n + i] = term;
}

/* Replaces b by the solution, from the factors of solve_symmetric. */
static void substitute(int n, const real *m, const int *order, const int *is_double, const real *scale, real *b)
{
    real x[SIZE] = {0};
    for (int k = 0; k < n; k += 1) {
        x[k] = b[order[k]] * scale[order[k]];
    }
    for (int k = 0; k < n; k += 1) {
        for (int i = k + 1 + is_double[k]; i < n; i += 1) {
            x[i] -= m[i * n + k] * x[k];
        }
    }
    for (int k = 0; k < n; k += is_double[k] ? 2 : 1) {
        if (is_double[k]) {
            const real first = x[k], second = x[k + 1];
            x[k] = m[k * n + k] * first + m[(k + 1) * n + k] * second;
            x[k + 1] = m[(k + 1) * n + k] * first + m[(k + 1) * n + k + 1] * second;
        } else {
            x[k] *= m[k * n + k];
        }
    }
    for (int k = n - 1; k >= 0; k -= 1) {
        for (int i = k + 1 + is_double[k]; i < n; i += 1) {
            x[k] -= m[i * n + k] * x[i];
        }
    }
    for (int k = 0; k < n; k += 1) {
        b[order[k]] = x[k] * scale[order[k]];
    }
}

/* Solves M x = b for a regular symmetric M, which need not be definite: P S M S P' = L D L' with blocks of 1 and 2 in D and complete
   pivoting (Bunch and Parlett, 1971). S has powers of two. Two corrections by the residual make the errors those of roundings of the
   entries. M is overwritten, and b by x. Returns 0, or 1 + the index of an unknown whose pivot vanished. */
static int solve_symmetric(int n, real *m, real *b)
{
    real whole[SIZE * SIZE], terms[SIZE * SIZE], scale[SIZE], right[SIZE], rest[SIZE];
    int order[SIZE], is_double[SIZE];
    for (int i = 0; i < n; i += 1) {
        right[i] = b[i];
        scale[i] = 1;
        order[i] = i;
        is_double[i] = 0;
    }
    for (int round = 0; round < 12; round += 1) {
        real largest[SIZE];
        for (int i = 0; i < n; i += 1) {
            largest[i] = 0;
            for (int j = 0; j < n; j += 1) {
                const real size = scale[i] * FN(fabs)(m[i * n + j]) * scale[j];
                largest[i] = size > largest[i] ? size : largest[i];
            }
        }
        for (int i = 0; i < n; i += 1) {
            scale[i] /= largest[i] > 0 ? FN(sqrt)(largest[i]) : 1;
        }
    }
    for (int i = 0; i < n; i += 1) {
        int exponent = 0;
        FN(frexp)(scale[i], &exponent);
        scale[i] = FN(ldexp)(1, exponent - 1);
    }
    for (int i = 0; i < n; i += 1) {
        for (int j = 0; j < n; j += 1) {
            whole[i * n + j] = m[i * n + j];
            m[i * n + j] *= scale[i] * scale[j];
            terms[i * n + j] = FN(fabs)(m[i * n + j]);
        }
    }
    for (int k = 0; k < n; k += is_double[k] ? 2 : 1) {
        int diagonal = k, row = k, column = k;
        real on = magnitude(n, m, terms, k * n + k), off = 0;
        for (int j = k; j < n; j += 1) {
            for (int i = j; i < n; i += 1) {
                const real size = magnitude(n, m, terms, i * n + j);
                if (i == j && size > on) {
                    on = size;
                    diagonal = i;
                } else if (i != j && size > off) {
                    off = size;
                    row = i;
                    column = j;
                }
            }
        }
        if (on <= 0 && off <= 0) {
            return 1 + order[diagonal];
        }
        is_double[k] = k + 1 < n && off * (real)0.6403882032022076 > on;
        if (!is_double[k]) {
            exchange(n, m, terms, order, k, diagonal);
            const real inverse = 1 / m[k * n + k];
            for (int j = k + 1; j < n; j += 1) {
                const real factor = m[j * n + k] * inverse;
                for (int i = j; i < n; i += 1) {
                    reduce(n, m, terms, i, j, m[i * n + k] * factor);
                }
            }
            for (int i = k + 1; i < n; i += 1) {
                m[i * n + k] *= inverse;
            }
            m[k * n + k] = inverse;
            continue;
        }
        exchange(n, m, terms, order, k, column);
        exchange(n, m, terms, order, k + 1, row);
        const real cross = m[(k + 1) * n + k];
        const real top = m[k * n + k] / cross, bottom = m[(k + 1) * n + k + 1] / cross;
        const real inverse = 1 / ((top * bottom - 1) * cross);
        const real first = bottom * inverse, coupling = -inverse, second = top * inverse;
        for (int j = k + 2; j < n; j += 1) {
            const real left = m[j * n + k] * first + m[j * n + k + 1] * coupling;
            const real right = m[j * n + k] * coupling + m[j * n + k + 1] * second;
            for (int i = j; i < n; i += 1) {
                reduce(n, m, terms, i, j, m[i * n + k] * left);
                reduce(n, m, terms, i, j, m[i * n + k + 1] * right);
            }
        }
        for (int i = k + 2; i < n; i += 1) {
            const real left = m[i * n + k], right = m[i * n + k + 1];
            m[i * n + k] = left * first + right * coupling;
            m[i * n + k + 1] = left * coupling + right * second;
        }
        m[k * n + k] = first;
        m[(k + 1) * n + k] = coupling;
        m[(k + 1) * n + k + 1] = second;
    }
    substitute(n, m, order, is_double, scale, b);
    for (int pass = 0; pass < 2; pass += 1) {
        for (int i = 0; i < n; i += 1) {
            rest[i] = right[i];
            for (int j = 0; j < n; j += 1) {
                rest[i] -= whole[i * n + j] * b[j];
            }
        }
        substitute(n, m, order, is_double, scale, rest);
        for (int i = 0; i < n; i += 1) {
            b[i] += rest[i];
        }
    }
    return 0;
}
