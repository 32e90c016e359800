import { everyMethod } from "../../serve";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod;
