// Gives each menu a name of its own, so that a screen reader can tell them apart. The theme adds some menus later.
function nameMenus() {
  const known = new Set();
  document.querySelectorAll("nav").forEach((menu, number) => {
    const label = document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
    const name = (menu.getAttribute("aria-label") ?? label?.textContent ?? "").trim();
    if (name === "" || known.has(name)) {
      menu.removeAttribute("aria-labelledby");
      menu.setAttribute("aria-label", `${name || "Menu"} ${number}`);
    }
    known.add(menu.getAttribute("aria-label") ?? name);
  });
}

document.addEventListener("DOMContentLoaded", () => {
  nameMenus();
  new MutationObserver(nameMenus).observe(document.body, { childList: true, subtree: true });
});
