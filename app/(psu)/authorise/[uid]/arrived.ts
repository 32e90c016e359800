import { cache } from "react";
import { arrive } from "@/lib/psu/arrival";

/** Layout and page of one request ask for the same arrival, which is looked up once. */
export const arrived = cache(arrive);
