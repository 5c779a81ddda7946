// Changes of modes: which are to be done at a state, and the state behind them. Nothing here knows of a page.

// Modes may change so often at one instant, for each change that the block states.
const MOST_ROUNDS = 100;
// A condition is 0 if so many roundings of the state make it so.
const ROUNDINGS = 16;

const named = (what, names) => names.length === 1 ? `the ${what} ${names[0]} changes` : `the ${what}s ${names.join(", ")} change`;

// For each change its condition, which is positive where it holds, and -1 where its mode has the new value already, whatever the condition is: the
// function would jump where the condition begins or ends.
const dueChanges = (mechanism, t, q, v) => {
  const { module, changes } = mechanism, values = mechanism.call("change_values", t, q, v);
  return changes.map((mode, index) => {
    const condition = values.change_values[index];
    if (Number.isNaN(condition)) throw new MotionError(`a condition of the mode ${mode} is not a number (NaN)`, t, q, v);
    const holding = { ...values, change_values: values.change_values.with(index, 1) };
    return module.change(index, holding, q, v) === null ? -1 : condition;
  });
};

// By how much roundings of the time and the state change the condition of a change. The smaller change of both directions counts, because the
// function may jump in one of them.
const roundingOfChange = (mechanism, index, t, q, v) => {
  const part = ROUNDINGS * Number.EPSILON, of = (t, q, v) => mechanism.call("change_values", t, q, v).change_values[index];
  const here = of(t, q, v), scaled = (list, i, factor) => list.map((value, k) => k === i ? value * factor : value);
  const change = moved => Math.min(...[1 + part, 1 - part].map(factor => Math.abs(moved(factor) - here)));
  let sum = change(factor => of(t * factor, q, v));
  for (let i = 0; i < q.length; i++) {
    sum += change(factor => of(t, scaled(q, i, factor), v)) + change(factor => of(t, q, scaled(v, i, factor)));
  }
  return sum;
};

// Does one change after the other, until no condition holds by more than rounding: the state behind them, and the modes that changed. Where a
// condition is 0 up to rounding, the next step sees how the motion goes on. The first change of a `located` condition counts however little it holds.
const settleModes = (mechanism, t, { q, v }, located, rates) => {
  const { module, changes } = mechanism, changed = [];
  for (let round = 0; round <= MOST_ROUNDS * changes.length; round++) {
    const conditions = dueChanges(mechanism, t, q, v), counts = (condition, index) => {
      if (!(condition > 0)) return false;
      if (located && !changed.length) return true;
      if (!(condition > roundingOfChange(mechanism, index, t, q, v))) return false;
      const step = 2 * Number.EPSILON * Math.abs(t), n = q.length, y = [...q, ...v], slope = rates(y), moved = y.map((value, i) => value + step * slope[i]);
      const later = mechanism.call("change_values", t + step, moved.slice(0, n), moved.slice(n)).change_values[index];
      return condition > 2 * Math.abs(later - condition);
    };
    const index = conditions.findIndex(counts);
    if (index < 0) return { q, v, changed };
    const behind = module.change(index, mechanism.call("change_values", t, q, v), q, v);
    if (![...behind.q, ...behind.v].every(Number.isFinite)) {
      throw new MotionError(`the change of the mode ${changes[index]} assigns a value that is not a number or is infinite`, t, q, v);
    }
    // As in the runtime, all coordinates have the same weight here.
    ({ q, v } = mechanism.project(t, behind.q, behind.v, q.map(() => 1)));
    changed.push(changes[index]);
  }
  const circle = [...new Set(changed.slice(-changes.length))];
  throw new MotionError(`${named("mode", circle)} without end at one instant`, t, q, v);
};
