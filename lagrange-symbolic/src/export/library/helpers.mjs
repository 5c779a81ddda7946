//: modulo
/** x - y*floor(x/y), with the sign of y. */
function modulo(x, y) {
    const rest = x % y;
    return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

//: sign
const sign = Math.sign;

//: minimum
const minimum = Math.min;

//: maximum
const maximum = Math.max;

//: reciprocal_or_zero
/** 1/x, but 0 at 0. */
const reciprocal_or_zero = (x) => (x === 0 ? 0 : 1 / x);

//: sinc
/** A derivative of sin(x)/x, by x f_k + k f_(k-1) = sin(x + k pi/2): upwards from f_0 for |x| > k, else downwards. */
function sinc(order, x) {
    const [sine, cosine, size] = [Math.sin(x), Math.cos(x), Math.abs(x)];
    const waves = [sine, cosine, -sine, -cosine];
    if (size <= order && !(order === 0 && size > 0)) {
        const tolerance = (Number.EPSILON / 16) * Math.min(size, 1);
        let [damping, top, value] = [1, order, 0];
        do {
            top += 1;
            damping *= size / top;
        } while (damping > tolerance);
        for (let k = top + 1; k > order; k -= 1) value = (waves[k % 4] - x * value) / k;
        return value;
    }
    let value = sine / x;
    for (let k = 1; k <= order; k += 1) value = (waves[k % 4] - k * value) / x;
    return value;
}

//: piece
/** The row of a spline for the argument x: a knot, and the coefficients by powers of the distance from it. Before the first knot the
    spline is straight. */
function piece(rows, x) {
    let [found, high] = [0, rows.length / 5];
    while (high - found > 1) {
        const middle = (found + high) >> 1;
        if (rows[5 * middle] <= x) found = middle;
        else high = middle;
    }
    const row = rows.slice(5 * found, 5 * found + 5);
    return x < rows[0] ? [row[0], row[1], row[2], 0, 0] : row;
}

//: spline
/** The rows of a spline from its knots, and from its values and second derivatives there. */
function spline(x, y, bends) {
    const rows = [];
    for (let i = 1; i < x.length; i += 1) {
        const [before, after] = [bends[i - 1], bends[i]];
        const width = x[i] <= x[i - 1] ? 1 : x[i] - x[i - 1];
        const secant = (y[i] - y[i - 1]) / width;
        rows.push(x[i - 1], y[i - 1], secant - (width * (2 * before + after)) / 6, before / 2, (after - before) / width / 6);
        if (i + 1 === x.length) rows.push(x[i], y[i], secant + (width * (before + 2 * after)) / 6, 0, 0);
    }
    return rows;
}

//: solve_implicit
/** (K + shift) step = r by elimination along the diagonal, and 1 if all pivots are positive, -1 if one is negative, else 0. */
function eliminate(r, slope, shift) {
    const n = r.length;
    const k = slope.map((row, i) => row.map((entry, j) => entry + (i === j ? shift : 0)));
    const step = r.slice();
    let [isDefinite, isNegative] = [true, false];
    for (let i = 0; i < n; i += 1) {
        const size = slope[i].reduce((sum, entry) => sum + Math.abs(entry), shift);
        const [pivot, bound] = [k[i][i], i === 0 ? 0 : 16 * n * Number.EPSILON * size];
        isNegative ||= isDefinite && pivot < -bound;
        isDefinite &&= pivot > bound && Number.isFinite(pivot);
        for (let row = i + 1; row < n; row += 1) {
            const factor = k[row][i] / pivot;
            for (let j = i + 1; j < n; j += 1) k[row][j] -= factor * k[i][j];
            step[row] -= factor * step[i];
        }
    }
    for (let i = n - 1; i >= 0; i -= 1) {
        for (let j = i + 1; j < n; j += 1) step[i] -= k[i][j] * step[j];
        step[i] /= k[i][i];
    }
    return [step, isNegative ? -1 : Number(isDefinite)];
}

/** (K + mu) step = r with mu = |r|/(1 + |w|), for a K that is singular or has no value. */
function shiftedStep(r, slope, w) {
    const k = slope.map((row) => row.map((entry) => (Number.isFinite(entry) ? entry : 0)));
    return eliminate(r, k, norm(r) / (1 + norm(w)))[0];
}

/** w with r(w, a) = 0, and 1 behind it; NaN and 0 where none is found. Newton's method begins at w = 0, with K = -dr/dw, and halves
    its steps until |r| falls. */
function solve_implicit(n, isUnique, equations, a) {
    let w = Array(n).fill(0);
    let step = Array(n).fill(0);
    let first = [];
    let [bestR, bestK, bestNorm, excess, factor] = [[], [], Infinity, Infinity, 1];
    let [pivots, isNewton, found, failed] = [0, false, false, false];
    for (let evaluation = 0; evaluation < 3000 && !found && !failed; evaluation += 1) {
        const trial = w.map((entry, i) => entry + factor * step[i]);
        const isMoved = trial.some((entry, i) => entry !== w[i]);
        const [r, k] = equations(trial, a);
        if (evaluation === 0) first = r.map(Math.abs);
        const [normR, normW] = [norm(r), norm(trial)];
        if (Number.isFinite(normW) && (normR < bestNorm || (isMoved && !isNewton && normR <= bestNorm))) {
            let isSolved = true;
            excess = 0;
            r.forEach((entry, i) => {
                const size = k[i].reduce((sum, slope, j) => sum + Math.abs(slope * trial[j]), 0);
                isSolved &&= entry === 0 || Math.abs(entry) <= n * Number.EPSILON * size;
                excess += entry === 0 ? 0 : Math.abs(entry) / (16 * Number.EPSILON * (size + first[i]));
            });
            [w, bestR, bestK, bestNorm, factor] = [trial, r, k, normR, 1];
            [step, pivots] = eliminate(r, k, 0);
            isNewton = pivots === 1 && step.every(Number.isFinite);
            if (!isNewton) step = shiftedStep(r, k, w);
            found = isSolved;
            failed = pivots < 0;
        } else {
            const isSame = r.every((entry, i) => entry === bestR[i]);
            found =
                excess <= 1 ||
                ((factor < 0.01 || !isMoved) && excess <= 64) ||
                (isSame && isMoved && isNewton && factor > Math.sqrt(Number.EPSILON));
            factor /= 2;
            if (!isMoved && !found) {
                failed = !isNewton;
                if (isNewton) step = shiftedStep(bestR, bestK, w);
                isNewton = false;
                factor = 1;
            }
        }
    }
    found = found && !failed && (isUnique || pivots === 1);
    return found ? [...w, 1] : [...w.map(() => NaN), 0];
}

//: norm
/** The Euclidean norm, without overflow. */
function norm(x) {
    const sum = x.reduce((sum, entry) => sum + entry * entry, 0);
    const largest = x.reduce((largest, entry) => Math.max(largest, Math.abs(entry)), 0);
    if (largest === 0 || !Number.isFinite(largest) || (sum > 1e-290 && Number.isFinite(sum))) return Math.sqrt(sum);
    return largest * Math.sqrt(x.reduce((sum, entry) => sum + (entry / largest) ** 2, 0));
}

//: solve_symmetric
/** Solves M x = b for a regular symmetric M, which need not be definite: P S M S P' = L D L' with blocks of 1 and 2 in D and complete
    pivoting (Bunch and Parlett, 1971). S has powers of two. Two corrections by the residual make the errors those of roundings of the
    entries. An Error names the unknown whose pivot vanished. */
function solve_symmetric(matrix, b) {
    const n = b.length;
    const scale = Array(n).fill(1);
    for (let round = 0; round < 12; round += 1) {
        const largest = matrix.map((row, i) => Math.max(...row.map((entry, j) => scale[i] * Math.abs(entry) * scale[j])));
        largest.forEach((size, i) => (scale[i] /= size > 0 ? Math.sqrt(size) : 1));
    }
    scale.forEach((size, i) => (scale[i] = 2 ** Math.floor(Math.log2(size))));
    const m = matrix.map((row, i) => row.map((entry, j) => entry * scale[i] * scale[j]));
    const terms = m.map((row) => row.map(Math.abs));
    const order = m.map((_, i) => i);
    const isDouble = Array(n).fill(0);
    const magnitude = (i, j) => {
        const size = Math.abs(m[i][j]);
        return size <= n * Number.EPSILON * terms[i][j] ? 0 : size;
    };
    const exchange = (i, j) => {
        [order[i], order[j]] = [order[j], order[i]];
        for (const x of [m, terms]) {
            [x[i], x[j]] = [x[j], x[i]];
            for (const row of x) [row[i], row[j]] = [row[j], row[i]];
        }
    };
    const reduce = (i, j, change) => {
        m[i][j] = m[j][i] = m[i][j] - change;
        terms[i][j] = terms[j][i] = Math.max(terms[i][j], Math.abs(change));
    };
    for (let k = 0; k < n; k += 1 + isDouble[k]) {
        let [diagonal, row, column, on, off] = [k, k, k, magnitude(k, k), 0];
        for (let j = k; j < n; j += 1) {
            for (let i = j; i < n; i += 1) {
                const size = magnitude(i, j);
                if (i === j && size > on) [on, diagonal] = [size, i];
                else if (i !== j && size > off) [off, row, column] = [size, i, j];
            }
        }
        if (on <= 0 && off <= 0) throw new Error(`the equations are singular: the pivot of ${UNKNOWNS[order[diagonal]]} vanishes`);
        isDouble[k] = Number(off * 0.6403882032022076 > on);
        if (!isDouble[k]) {
            exchange(k, diagonal);
            const inverse = 1 / m[k][k];
            for (let j = k + 1; j < n; j += 1) {
                const factor = m[j][k] * inverse;
                for (let i = j; i < n; i += 1) reduce(i, j, m[i][k] * factor);
            }
            for (let i = k + 1; i < n; i += 1) m[i][k] *= inverse;
            m[k][k] = inverse;
            continue;
        }
        exchange(k, column);
        exchange(k + 1, row);
        const cross = m[k + 1][k];
        const [top, bottom] = [m[k][k] / cross, m[k + 1][k + 1] / cross];
        const inverse = 1 / ((top * bottom - 1) * cross);
        const [first, coupling, second] = [bottom * inverse, -inverse, top * inverse];
        for (let j = k + 2; j < n; j += 1) {
            const left = m[j][k] * first + m[j][k + 1] * coupling;
            const right = m[j][k] * coupling + m[j][k + 1] * second;
            for (let i = j; i < n; i += 1) {
                reduce(i, j, m[i][k] * left);
                reduce(i, j, m[i][k + 1] * right);
            }
        }
        for (let i = k + 2; i < n; i += 1) {
            const [left, right] = [m[i][k], m[i][k + 1]];
            m[i][k] = left * first + right * coupling;
            m[i][k + 1] = left * coupling + right * second;
        }
        [m[k][k], m[k + 1][k], m[k + 1][k + 1]] = [first, coupling, second];
    }
    const substitute = (right) => {
        const x = order.map((of) => right[of] * scale[of]);
        for (let k = 0; k < n; k += 1) {
            for (let i = k + 1 + isDouble[k]; i < n; i += 1) x[i] -= m[i][k] * x[k];
        }
        for (let k = 0; k < n; k += 1 + isDouble[k]) {
            const [first, second] = [x[k], x[k + 1]];
            x[k] = isDouble[k] ? m[k][k] * first + m[k + 1][k] * second : m[k][k] * first;
            if (isDouble[k]) x[k + 1] = m[k + 1][k] * first + m[k + 1][k + 1] * second;
        }
        for (let k = n - 1; k >= 0; k -= 1) {
            for (let i = k + 1 + isDouble[k]; i < n; i += 1) x[k] -= m[i][k] * x[i];
        }
        const solution = Array(n);
        order.forEach((of, k) => (solution[of] = x[k] * scale[of]));
        return solution;
    };
    let solution = substitute(b);
    for (let pass = 0; pass < 2; pass += 1) {
        const rest = b.map((value, i) => matrix[i].reduce((rest, entry, j) => rest - entry * solution[j], value));
        const correction = substitute(rest);
        solution = solution.map((value, i) => value + correction[i]);
    }
    return solution;
}
