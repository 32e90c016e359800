import { cache } from "react";
import { bankProfile } from "@/lib/profile/in-force";
import { services } from "@/lib/services";

/** The same for a page's layout and all its parts, also when the bank's profile changes while it is made. */
export const pageProfile = cache(bankProfile);
export const pageServices = cache(() => services(pageProfile()));
