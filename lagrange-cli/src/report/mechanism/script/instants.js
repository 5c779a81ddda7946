// The table of what happened at instants as a file.
byId("instants-csv")?.addEventListener("click", () => {
  const { heads, rows } = data.instants;
  download("events and impacts", heads, heads.map((head, column) => rows.map(row => row[column])));
});
