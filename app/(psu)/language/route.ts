import { switchingLanguage } from "@/lib/psu/request";

export const { GET, POST } = switchingLanguage;
