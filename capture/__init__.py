"""Records of the real engine: the only room that may use a GPU, torch and nano-vllm."""
