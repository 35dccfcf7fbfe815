// The new table: only seats that are taken can begin.
import { byId } from "./page.js";

const selects = [...document.querySelectorAll("select[name^=seat]")];
const first = byId("first");
function update() {
  const taken = selects.filter((select) => select.value !== "none").length;
  for (const option of first.options) option.hidden = option.disabled = Number(option.value) > taken;
  if (first.selectedOptions[0].disabled) first.value = "0";
}
selects.forEach((select) => select.addEventListener("change", update));
update();
