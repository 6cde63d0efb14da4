/** Made by the build: the styles of the components that are used. */
declare module 'virtual:component-styles';
