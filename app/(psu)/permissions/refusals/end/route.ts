import { ownForm } from "@/lib/psu/request";

export const { GET, POST } = ownForm("refuse-no-more");
