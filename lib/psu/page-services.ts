import { cache } from "react";
import { services } from "@/lib/services";

/** The same for a page's layout and all its parts, also when the bank's profile changes while it is made. */
export const pageServices = cache(services);

export function pageProfile() {
  return pageServices().profile;
}
