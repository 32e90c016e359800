export { answerCallback as GET } from "@/lib/psu/answers/provider";
