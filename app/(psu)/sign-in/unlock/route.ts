import { ownForm } from "@/lib/psu/own-channel/route";

export const { GET, POST } = ownForm("unlock");
