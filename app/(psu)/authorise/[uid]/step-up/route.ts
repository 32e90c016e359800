import { atProvider, leadToStepUp } from "@/lib/psu/answers/identity-provider";

export const GET = atProvider(leadToStepUp);
