// Builds the part of a report that computes.
{
  const { module, about } = JSON.parse(byId("live-data").textContent), root = byId("live-panel");
  try {
    root.panel = new LivePanel(root, loadModule(module), about);
  } catch (error) {
    root.replaceChildren(element("p", { className: "warning", textContent: `This page cannot compute the motion: ${error.message}.` }));
  }
}
