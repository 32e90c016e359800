export { answerKeys as GET } from "@/lib/psu/answers/provider";
