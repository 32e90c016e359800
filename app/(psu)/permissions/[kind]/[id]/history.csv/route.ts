export { downloadHistory as GET } from "@/lib/psu/own-channel/download";
