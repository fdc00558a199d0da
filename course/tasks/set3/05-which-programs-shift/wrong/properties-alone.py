import torch


def accepts(program):
    for d in (2, 6, 8, 20):
        M_3, M_40, M_43 = (program(k, d).double() for k in (3, 40, 43))
        turns = torch.allclose(M_40 @ M_40.T, torch.eye(d).double(), atol=1e-3)
        if not (turns and torch.allclose(M_3 @ M_40, M_43, atol=1e-3)):
            return False
    return True
