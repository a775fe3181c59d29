// The script of the web components contains the style as a text.
declare module "*.css" {
  const text: string;
  export default text;
}
