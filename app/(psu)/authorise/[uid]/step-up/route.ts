import { atProvider, leadToStepUp } from "@/lib/psu/answers/provider";

export const GET = atProvider(leadToStepUp);
