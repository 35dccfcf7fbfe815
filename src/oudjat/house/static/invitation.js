// A friend's link seats him at once; previews of the link, which run no script, leave the seat free.
import { byId } from "./page.js";

byId("sit").requestSubmit();
