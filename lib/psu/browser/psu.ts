/** Comfort for whoever has JavaScript: everything on the pages works without it. */
import { offerPasskeys } from "./passkey";
import { watchTimeLimit } from "./time-limit";

offerPasskeys();
watchTimeLimit();
