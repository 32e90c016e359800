import { cache } from "react";
import { arrive } from "@/lib/psu/arrival";

/** Once per request: the layout needs it for its policy, the page for its question. */
export const arrivalOf = cache(arrive);
