import { switchingLanguage } from "@/lib/psu/route";

export const { GET, POST } = switchingLanguage;
