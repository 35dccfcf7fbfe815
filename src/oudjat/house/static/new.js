// The new table: only seats that are taken can begin, and only what matters at this table is asked.
import { byId } from "./page.js";

const selects = [...document.querySelectorAll("select[name^=seat]")];
const first = byId("first");
function update() {
  const taken = selects.filter((select) => select.value !== "none").length;
  for (const option of first.options) option.hidden = option.disabled = Number(option.value) > taken;
  if (first.selectedOptions[0].disabled) first.value = "0";
  byId("who-comes").hidden = !selects.some((select) => select.value === "friend");
  byId("on-time-field").hidden = byId("clock").value === "none";
  const rated = document.querySelector("input[name=rated]");
  if (rated?.checked) byId("on_time").value = "forfeit";
}
byId("clock").addEventListener("change", update);
document.querySelector("input[name=rated]")?.addEventListener("change", update);
selects.forEach((select) => select.addEventListener("change", update));
update();
