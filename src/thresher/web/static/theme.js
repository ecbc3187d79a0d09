// Before anything is painted: the theme that was chosen here earlier.
(() => {
  const chosen = localStorage.getItem("thresher-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
})();
