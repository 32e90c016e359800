import { answerReturn, atProvider } from "@/lib/psu/answers/provider";

export const GET = atProvider(answerReturn);
