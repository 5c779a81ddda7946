// What nine values of a function on a part of a step say about its zeros there, by the rules of the runtime. Nothing here knows of a page.

// Between nodes, a function differs from its values by less than this multiple of the error at the odd nodes. That error is of the fifth order in the
// length of the part, and the difference from all nine values of the ninth.
const SAFE = 4;
// The place of a least value is known where the error at the odd nodes is this part of the range of the values.
const SHAPED = 1 / 64;
// The parabolas by which a least value is approached.
const PARABOLAS = 4;
// The nodes are not evenly spaced, because such nodes would see an oscillation that makes whole periods between them as a slow one.
const NODES = Array.from({ length: 9 }, (_, k) => (1 - Math.cos(Math.PI * k / 8)) / 2);
// The weights of the values at the even nodes in the polynomial through them, at each odd node (Lagrange).
const EVEN = [0, 2, 4, 6, 8];
const PREDICTED = [1, 3, 5, 7].map(odd => [odd, EVEN.map(k => EVEN.reduce((product, l) => l === k ? product : product * (NODES[odd] - NODES[l]) / (NODES[k] - NODES[l]), 1))]);

class Resolution {
  // `heights`: the values at the nodes, positive before the first zero.
  constructor(heights) {
    this.heights = heights;
    const errors = PREDICTED.map(([odd, weights]) => Math.abs(weights.reduce((sum, weight, k) => sum + weight * heights[EVEN[k]], -heights[odd])));
    this.error = Math.max(...errors);
    this.range = Math.max(...heights) - Math.min(...heights);
  }

  // The first node behind a zero, or null if the function keeps its sign; { divide } with the place at which the part is to be divided where the
  // values do not tell. `rounding`: what the function has as rounding.
  course(rounding = 0) {
    const { heights } = this, resolved = this.error <= SAFE * rounding, margin = resolved ? -rounding : SAFE * this.error;
    if (heights.every(height => height === 0)) return null;
    const isAbove = k => resolved || heights[k] > margin, below = heights.findIndex(height => height < 0);
    const crossing = below < 0 ? null : Math.max(below, 1), last = (crossing ?? NODES.length) - 1;
    for (let k = 0; k <= last; k++) {
      const turn = this.turn(k);
      if (turn === null || turn.value > margin || crossing !== null && turn.place >= NODES[last]) continue;
      return { divide: this.error <= SHAPED * this.range && turn.place > 0.01 && turn.place < 0.99 ? turn.place : 0.5 };
    }
    // A value near 0 is that of a start or an end at a zero, if the value next to it is not near 0.
    const isVague = last > 0 && (!isAbove(0) && !isAbove(1) || !isAbove(last) && !isAbove(last - 1));
    if (isVague || heights.some((_, k) => k > 0 && k < last && !isAbove(k))) return { divide: 0.5 };
    if (crossing === null || resolved || heights[crossing - 1] - heights[crossing] > margin) return crossing;
    return { divide: NODES[Math.max(1, crossing - 1)] };
  }

  // The place and the value of the least value near a node that is lower than its neighbours, or between an end of the part and the next node.
  turn(k) {
    const { heights } = this, end = NODES.length - 1, isEnd = k === 0 || k === end;
    if (!isEnd && (heights[k - 1] < heights[k] || heights[k + 1] < heights[k])) return null;
    const middle = Math.min(Math.max(k, 1), end - 1);
    let points = [middle - 1, middle, middle + 1].map(node => [NODES[node], heights[node]]), least = null;
    const low = k === end ? points[1][0] : points[0][0], high = k === 0 ? points[1][0] : points[2][0];
    for (let round = 0; round < PARABOLAS; round++) {
      const place = lowest(points);
      if (!(place > low && place < high)) break;
      const value = this.between(place);
      if (least !== null && least.value <= value) break;
      least = { place, value };
      const distance = ([x]) => Math.abs(x - place), farthest = Math.max(...points.map(distance));
      const index = points.findIndex(point => distance(point) >= farthest);
      points = points.with(index, [place, value]).sort(([a], [b]) => a - b);
    }
    return least !== null && (!isEnd || least.value < heights[k]) ? least : null;
  }

  // The polynomial through all values. Source: J.-P. Berrut, L. N. Trefethen, Barycentric Lagrange interpolation, SIAM Review 46, 2004, (5.4).
  between(place) {
    let sum = 0, weights = 0;
    for (const [k, node] of NODES.entries()) {
      if (place === node) return this.heights[k];
      const weight = (k % 2 ? -1 : 1) * (k === 0 || k === NODES.length - 1 ? 0.5 : 1) / (place - node);
      sum += weight * this.heights[k];
      weights += weight;
    }
    return sum / weights;
  }
}

// The place of the least value of the parabola through three points, or NaN where it has none.
const lowest = ([[x, a], [y, b], [z, c]]) => {
  const first = (b - a) / (y - x), bend = ((c - b) / (z - y) - first) / (z - x);
  return bend > 0 ? (x + y) / 2 - first / (2 * bend) : NaN;
};
