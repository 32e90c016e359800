export { answerNotification as POST } from "@/lib/psu/answers/provider";
