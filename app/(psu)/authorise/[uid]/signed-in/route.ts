import { answerReturn, atProvider } from "@/lib/psu/answers/identity-provider";

export const GET = atProvider(answerReturn);
