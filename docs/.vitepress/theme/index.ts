// The default theme, with examples that run and the lab's scenes beside the chapters they belong to.
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import './style.css';
import LabScenes from './lab-scenes.js';
import LiveExample from './live-example.js';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(LabScenes) }),
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('LiveExample', LiveExample);
  },
};
