import { switchingStaffLanguage } from "@/lib/staff/forms";

export const { GET, POST } = switchingStaffLanguage;
