import { forProject, readFailureText } from "@/app/api/v1/reads";

export const GET = readFailureText(forProject);
