/* Runs before the first paint: a stored choice of light or dark must not flash. A plain script, because a module would come too late. */
{
  const theme = localStorage.getItem("aurum.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
